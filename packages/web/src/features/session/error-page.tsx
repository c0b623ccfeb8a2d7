import { type SingleSignOnRefusal, singleSignOnRefusals } from '@svc/contract';
import { useEffect } from 'react';
import { paths } from '../../lib/paths.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { BarePage } from '../../ui/frame/flow.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';

/** Reasons for refused sign-ins at the identity provider, with the next step. */
const refusals: Readonly<Record<SingleSignOnRefusal, string>> = {
  tenant:
    'Your account belongs to another organization than this service admits. Sign in with another account, or ask an administrator.',
  guest: 'Guest accounts may not sign in here. Sign in with another account, or ask an administrator.',
  'group-or-role':
    'Your account is in no group that may use this service. Ask an administrator to add it to one.',
  mfa: 'This service asks for a second factor, which your sign-in did not use. Set one up at the identity provider, then sign in again.',
  disabled: 'Your account is switched off. Ask an administrator to switch it on.',
  expired: 'The sign-in took too long, or its page was opened twice. Sign in again.',
  provider: 'The identity provider did not complete the sign-in. Try again in a moment.',
};

const prefix = 'sso-';
const wordsFor = (reason: string | undefined): string | undefined => {
  const refusal = singleSignOnRefusals.find((word) => reason === `${prefix}${word}`);
  return refusal && refusals[refusal];
};

/** Error page for failures outside other pages. */
export function ErrorPage() {
  const [{ reason, traceId }] = useAddress();
  useEffect(() => {
    document.title = 'That did not work · Svc';
  }, []);
  return (
    <BarePage title="That did not work">
      <p>{wordsFor(reason) ?? 'Something went wrong. Try again; if it stays so, pass the trace id on.'}</p>
      {traceId !== undefined && (
        <p className="row soft">
          Trace <code className="truncate">{traceId}</code>
          <CopyButton value={traceId} label="Copy trace id" />
        </p>
      )}
      <LinkButton to={paths.login()} variant="filled">
        Back to sign in
      </LinkButton>
    </BarePage>
  );
}
