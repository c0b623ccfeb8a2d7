import { useState } from 'react';
import type { Overview } from '../../../../src/api/overview.ts';
import { countText, wholeNumber } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useSession } from '../../lib/requests.ts';
import { Button, fieldClass, Status } from '../../parts/controls.tsx';
import { Dialog, DialogFoot } from '../../parts/dialog.tsx';
import { Link } from '../../parts/link.tsx';
import { act } from '../../parts/notices.tsx';
import { Empty } from '../../parts/page.tsx';
import { type Column, rowLinkClass, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

type Queue = Json<Overview>['queues'][number];

const columns: readonly Column<Queue>[] = [
  {
    key: 'name',
    title: 'Queue',
    cell: ({ name }) => (
      <Link to="/jobs" query={{ state: 'Enqueued', queue: name }} className={rowLinkClass} data-row-link>
        {name}
      </Link>
    ),
  },
  {
    key: 'waiting',
    title: 'Waiting',
    align: 'right',
    width: 'narrow',
    cell: ({ waiting, isWaitingCapped }) => countText(waiting, false, isWaitingCapped),
  },
  {
    key: 'running',
    title: 'Running',
    align: 'right',
    width: 'middle',
    cell: ({ running, capacity, maxRunning }) =>
      `${wholeNumber(running)} of ${wholeNumber(maxRunning === null ? capacity : Math.min(capacity, maxRunning))}`,
  },
  {
    key: 'oldest',
    title: 'Oldest due',
    width: 'middle',
    from: 640,
    cell: ({ oldestDueAt }) => <Time at={oldestDueAt} />,
  },
  {
    key: 'state',
    title: 'State',
    width: 'middle',
    from: 480,
    cell: ({ pausedAt, capacity }) =>
      pausedAt !== null ? (
        <Status tone="amber">Paused</Status>
      ) : capacity === 0 ? (
        <Status tone="neutral">Not served</Status>
      ) : (
        <Status tone="green">Open</Status>
      ),
  },
];

function LimitDialog({ queue, onClose }: { readonly queue: Queue; readonly onClose: () => void }) {
  const [text, setText] = useState(queue.maxRunning === null ? '' : String(queue.maxRunning));
  const save = async () => {
    const maxRunning = text.trim() === '' ? null : Number(text);
    const done =
      maxRunning === null ? `${queue.name} has no limit now.` : `${queue.name} runs ${maxRunning} at once.`;
    if (await act(`/queues/${encodeURIComponent(queue.name)}/limit`, done, { maxRunning })) onClose();
  };
  return (
    <Dialog title={`Limit of ${queue.name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label className="stack">
          <span>Jobs of the queue that run at once in all processes together. Empty: no limit.</span>
          <input
            className={fieldClass}
            inputMode="numeric"
            pattern="[0-9]*"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <DialogFoot>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit">
            Set the limit
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Table of queues. A user with permission can pause and limit them. */
export function QueueTable({ queues }: { readonly queues: readonly Queue[] }) {
  const mayAct = useSession().data?.mayAct === true;
  const [limited, setLimited] = useState<Queue | null>(null);
  if (queues.length === 0) {
    return (
      <Empty title="No queue yet.">
        A queue is there once something was enqueued in it, or a worker serves it.
      </Empty>
    );
  }
  const acts: Column<Queue> = {
    key: 'acts',
    title: <span className="visually-hidden">Acts</span>,
    align: 'right',
    width: 'acts',
    from: 800,
    cell: (queue) => {
      const path = `/queues/${encodeURIComponent(queue.name)}`;
      const isPaused = queue.pausedAt !== null;
      return (
        <>
          <Button
            kind="quiet"
            size="small"
            aria-label={`Limit ${queue.name}`}
            onClick={() => setLimited(queue)}
          >
            Limit
          </Button>
          <Button
            kind="quiet"
            size="small"
            aria-label={`${isPaused ? 'Resume' : 'Pause'} ${queue.name}`}
            onClick={() =>
              void (isPaused
                ? act(`${path}/resume`, `${queue.name} goes on.`)
                : act(`${path}/pause`, `${queue.name} is paused; what runs ends.`))
            }
          >
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </>
      );
    },
  };
  return (
    <>
      <Table
        label="Queues"
        isBare
        columns={mayAct ? [...columns, acts] : columns}
        rows={queues}
        keyOf={({ name }) => name}
      />
      {limited && <LimitDialog queue={limited} onClose={() => setLimited(null)} />}
    </>
  );
}
