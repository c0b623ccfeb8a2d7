import { Button } from '@mantine/core';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Dialog } from '../../ui/form/dialog.tsx';
import { Link } from '../../ui/frame/link.tsx';

export type Refusal = {
  readonly summary: string;
  readonly refused: readonly { readonly id: number; readonly name: string; readonly why: string }[];
};

/** Result of a bulk action: the number of changed subscriptions, and each refusal with its reason. */
export function RefusedDialog({
  refusal,
  onClose,
}: {
  readonly refusal: Refusal;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={refusal.summary} onClose={onClose}>
      <div className="stack">
        <p>{plural(refusal.refused.length, 'subscription')} stayed as before:</p>
        <ul>
          {refusal.refused.map(({ id, name, why }) => (
            <li key={id}>
              <Link to={paths.subscription(id)}>{name}</Link>: {why}
            </li>
          ))}
        </ul>
        <div className="row">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}
