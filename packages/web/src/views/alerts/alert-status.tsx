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
  /** Text without an alert. */
  readonly quiet: string;
  /** Text for a pending alert, which has not notified yet. */
  readonly pending: string;
};

/** State of an alert, and its start. */
export function AlertStatus({ alert: { state, since, acknowledgement }, quiet, pending }: Props) {
  const tone = tones[state];
  const text = { Ok: quiet, Pending: pending, Firing: 'Alert', Recovering: 'Alert, ending' }[state];
  return (
    <span>
      <Status tone={tone}>{text}</Status> since <Time at={since} />
      {acknowledgement && ` · acknowledged by ${acknowledgement.userName ?? 'a program'}`}
      {acknowledgement?.note && `: ${acknowledgement.note}`}
    </span>
  );
}
