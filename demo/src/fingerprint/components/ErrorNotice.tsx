import { failureOf } from '../words.js';

interface ErrorNoticeProps {
  readonly what: string;
  readonly error: unknown;
}

export function ErrorNotice({ what, error }: ErrorNoticeProps) {
  return (
    <p className="notice" role="alert">
      {what} {failureOf(error)}
    </p>
  );
}
