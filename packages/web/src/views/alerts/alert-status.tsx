import type { Alert, AlertState } from '@svc/contract';
import { Status, type Tone } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';

const tones: Readonly<Record<AlertState, Tone>> = {
  Ok: 'green',
  Pending: 'amber',
  Firing: 'red',
  Recovering: 'amber',
};

type Props = {
  readonly alert: Alert;
  /** What is said while there is nothing to tell. */
  readonly quiet: string;
  /** What is said while something is found and not told yet. */
  readonly pending: string;
};

/** How an alert stands, and since when. */
export function AlertStatus({ alert: { state, since, acknowledgement }, quiet, pending }: Props) {
  const tone = tones[state];
  const word = { Ok: quiet, Pending: pending, Firing: 'Alert', Recovering: 'Alert, ending' }[state];
  return (
    <span>
      <Status tone={tone}>{word}</Status> since <Time at={since} />
      {acknowledgement && ` · acknowledged by ${acknowledgement.userName ?? 'a program'}`}
      {acknowledgement?.note && `: ${acknowledgement.note}`}
    </span>
  );
}
