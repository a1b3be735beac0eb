import { ChallengeForm, WhorlProvider } from 'whorl/react';

export const metadata = { title: 'Next', icons: 'data:,' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <main>
          <WhorlProvider>
            {children}
            <ChallengeForm />
          </WhorlProvider>
        </main>
      </body>
    </html>
  );
}
