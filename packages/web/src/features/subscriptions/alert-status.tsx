import type { Alert, AlertState } from '@svc/contract';
import { Status, type Tone } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';

const words: Readonly<Record<AlertState, { readonly tone: Tone; readonly word: string }>> = {
  Ok: { tone: 'green', word: 'No rows' },
  Pending: { tone: 'amber', word: 'Rows, not told yet' },
  Firing: { tone: 'red', word: 'Alert' },
  Recovering: { tone: 'amber', word: 'Alert, ending' },
};

/** How the alert of a subscription stands, and since when. */
export function AlertStatus({ alert: { state, since } }: { readonly alert: Alert }) {
  const { tone, word } = words[state];
  return (
    <span>
      <Status tone={tone}>{word}</Status> since <Time at={since} />
    </span>
  );
}
