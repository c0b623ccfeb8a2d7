import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ProblemNote } from '../feedback/problem.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  readonly title: string;
  /** What will happen, and what cannot be taken back. */
  readonly children: ReactNode;
  /** The act, as the button names it. */
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Asks before an act that cannot be undone here. Stays open with the reason when it is refused. */
export function ConfirmDialog({ title, children, act, isDangerous = true, onConfirm, onClose }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const confirm = () => {
    setSending(true);
    setError(null);
    onConfirm()
      .then(onClose, setError)
      .finally(() => setSending(false));
  };
  return (
    <Dialog onClose={onClose} title={title} size={440}>
      <div className="stack">
        <ProblemNote error={error} />
        <div>{children}</div>
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="subtle" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            variant="filled"
            {...(isDangerous && { color: 'red' })}
            loading={isSending}
            onClick={confirm}
          >
            {act}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
