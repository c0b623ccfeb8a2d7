import { Button } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { LazyPart, later } from '../../../../ui/feedback/lazy-part.tsx';
import type { Conflict } from './conflict.tsx';
import { useCopy } from './use-copy.ts';

const code = later(() => import('./conflict.tsx').then((loaded) => loaded.Conflict));

type Props = ComponentProps<typeof Conflict>;

/**
 * View of a conflict. Its code loads on the first conflict. If the code does not load, a notice states that the draft is not
 * saved, and the user can save the draft as a copy.
 */
export function ConflictLater(props: Props) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return <WithoutCode save={props.save} onAgain={() => setMissing(false)} />;
  return (
    <LazyPart code={code} onMissing={() => setMissing(true)}>
      {(Part) => <Part {...props} />}
    </LazyPart>
  );
}

function WithoutCode({ save, onAgain }: Pick<Props, 'save'> & { readonly onAgain: () => void }) {
  const { isCopying, onCopy } = useCopy(save);
  return (
    <section className="notice" role="alert" aria-label="Changed meanwhile">
      <p>
        <strong>Somebody else saved this query.</strong> Yours is not saved, and stays here as you wrote it.
        What differs cannot be shown now: the service did not answer.
      </p>
      <div className="row wrap">
        <Button variant="filled" loading={isCopying} onClick={onCopy}>
          Keep mine as a copy
        </Button>
        <Button onClick={onAgain}>Show what differs</Button>
      </div>
    </section>
  );
}
