import { useEffect } from 'react';
import { paths } from '../../lib/paths.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { BarePage } from '../../ui/frame/flow.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';

/** What the service says when a sign-in elsewhere, or a page, failed. The words are ours, by code. */
const reasons: Readonly<Record<string, string>> = {
  'sso-failed': 'The identity provider did not complete the sign-in. Try again.',
  'sso-refused': 'Your account may not sign in here. An administrator can tell you why.',
  'not-admitted': 'Your account may not sign in here. An administrator can tell you why.',
  'mfa-required': 'This service asks for a second factor, which your sign-in did not use.',
  'account-disabled': 'Your account is switched off. An administrator can switch it on.',
};

/** A failure that ended outside a page. */
export function ErrorPage() {
  const [{ code, traceId }] = useAddress();
  useEffect(() => {
    document.title = 'That did not work · Svc';
  }, []);
  return (
    <BarePage title="That did not work">
      <p>{reasons[code ?? ''] ?? 'Something went wrong. Try again; if it stays so, pass the trace id on.'}</p>
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
