import { findAccount, passwordMatches } from '../../accounts.js';
import { whorl } from '../../whorl.js';

export async function POST(request) {
  const { email, password } = await request.clone().json();
  const account = findAccount(email);
  if (!account || !passwordMatches(account, password)) {
    const { response } = await whorl.reportFailure(request, { action: 'login', user: account?.id ?? email });
    return response ?? Response.json({ detail: 'Wrong email address or password.' }, { status: 401 });
  }
  const { response } = await whorl.decide(request, { action: 'login', user: account.id, email });
  return response ?? Response.json({ email }); // Start the session here.
}
