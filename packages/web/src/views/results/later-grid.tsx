import { Button } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import type { ResultGrid as Grid } from './result-grid.tsx';

const code = later(() => import('./result-grid.tsx').then((module) => module.ResultGrid));

/** Loads the grid's code while the rows load. Ignores a failure: the grid reports it when it is shown. */
export const expectGrid = (): void => void code.load().catch(() => undefined);

/** Grid of a result. Its code loads with the first result. */
export function ResultGrid(props: ComponentProps<typeof Grid>) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing)
    return (
      <div style={{ padding: 12 }}>
        <Button onClick={() => setMissing(false)}>Show the rows</Button>
      </div>
    );
  return (
    <LazyPart
      code={code}
      fallback={
        <p className="soft" style={{ padding: 12 }}>
          Loading rows …
        </p>
      }
      onMissing={() => setMissing(true)}
    >
      {(Loaded) => <Loaded {...props} />}
    </LazyPart>
  );
}
