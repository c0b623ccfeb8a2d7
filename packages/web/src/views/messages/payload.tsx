import type { TemplatePreview } from '@svc/contract';
import { plural, words } from '../../lib/format.ts';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import classes from './payload.module.css';

/** Message as a channel sends it, with notes. An email is shown as text. */
export function Payload({ payload, label }: { readonly payload: TemplatePreview; readonly label: string }) {
  const { body, contentType } = payload;
  return (
    <section className="stack" aria-label={label}>
      <div className="row wrap">
        <strong>{words(payload.notificationType)}</strong>
        <span className="soft">
          {contentType}
          {payload.bytes !== null && `, ${plural(payload.bytes, 'byte')}`}
          {!payload.isDefault && ', from the body template'}
        </span>
        <span className="grow" />
        {body !== null && <CopyButton value={body} label="Copy the message" />}
      </div>
      {payload.findings.length > 0 && (
        <ul className={classes['findings']}>
          {payload.findings.map((finding) => (
            <li key={finding.code + finding.text}>{finding.text}</li>
          ))}
        </ul>
      )}
      {payload.subject !== null && (
        <p>
          Subject: <strong>{payload.subject}</strong>
        </p>
      )}
      {body === null ? (
        <p className="soft">
          A body template shapes this message. Only an Admin or SecurityAdmin sees what it gives.
        </p>
      ) : payload.text === null ? (
        <Text>{pretty(body)}</Text>
      ) : (
        <>
          <Text>{payload.text}</Text>
          <details>
            <summary>HTML part</summary>
            <Text>{body}</Text>
          </details>
        </>
      )}
    </section>
  );
}

const Text = ({ children }: { readonly children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <pre className={classes['body']} tabIndex={0}>
    {children}
  </pre>
);

/** Formats JSON with indentation. Returns other texts unchanged. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
