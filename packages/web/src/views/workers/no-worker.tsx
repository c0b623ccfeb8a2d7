import { Sentence } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './no-worker.module.css';

type Props = {
  readonly workers: { readonly hasLiveWorker: boolean; readonly lastHeartbeatAt: string | null } | undefined;
};

/** Said while no process runs jobs: everything that is due waits, whatever its health says. */
export function NoWorker({ workers }: Props) {
  if (!workers || workers.hasLiveWorker) return null;
  return (
    <div className={`panel ${classes['banner']}`} role="alert">
      <Sentence tone="red">
        No process runs jobs at the moment, so nothing that is due starts. Start the service with
        Svc:Jobs:Workers above 0.
      </Sentence>
      {workers.lastHeartbeatAt !== null && (
        <p className="soft">
          Last reported: <Time at={workers.lastHeartbeatAt} />
        </p>
      )}
    </div>
  );
}
