import { Button } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { LazyPart, later } from '../../../ui/feedback/lazy-part.tsx';
import type { Conflict } from './conflict.tsx';
import { useCopy } from './use-copy.ts';

const code = later(() => import('./conflict.tsx').then((loaded) => loaded.Conflict));

type Props = ComponentProps<typeof Conflict>;

/**
 * The conflict, whose code comes when there is one. Where it does not come, what was written stays, is said not to be
 * saved, and can be kept as a copy all the same.
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
