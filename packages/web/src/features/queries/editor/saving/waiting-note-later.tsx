import type { ComponentProps } from 'react';
import { LazyPart, later } from '../../../../ui/feedback/lazy-part.tsx';
import type { WaitingNote } from './waiting-note.tsx';

const code = later(() => import('./waiting-note.tsx').then((loaded) => loaded.WaitingNote));

/** Note about a waiting version. Its code loads only while a version waits. */
export function WaitingNoteLater(props: ComponentProps<typeof WaitingNote>) {
  if (props.record.pendingVersion === null) return null;
  return (
    <LazyPart code={code} onMissing={() => undefined}>
      {(Part) => <Part {...props} />}
    </LazyPart>
  );
}
