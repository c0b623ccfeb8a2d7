import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ProblemNote } from '../feedback/problem.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  readonly title: string;
  /** Effect of the action, with the parts that cannot be undone. */
  readonly children: ReactNode;
  /** Label of the button. */
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Dialog before an action that cannot be undone. It remains open and shows the reason if the action is refused. */
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
