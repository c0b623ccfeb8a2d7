import type { Query } from '@svc/contract';
import { isRefusal } from '../../../lib/problem.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import type { Draft } from '../../../views/query-run/draft.ts';
import { ConflictLater } from './saving/conflict-later.tsx';
import { useNewer } from './saving/use-newer.ts';
import type { useSave } from './saving/use-save.ts';
import { WaitingNoteLater } from './saving/waiting-note-later.tsx';

type Props = {
  readonly saved: Query | null;
  readonly draft: Draft;
  readonly save: ReturnType<typeof useSave>;
  /** Reason why an action of the user had no effect. */
  readonly notice: string | null;
  /** Replaces the draft with the version of another user. */
  readonly onTake: (theirs: Draft) => void;
};

/** Notes above the text: a refused save, a waiting version, a conflict with another user, and a notice. */
export function EditorNotes({ saved, draft, save, notice, onTake }: Props) {
  const newer = useNewer(saved, save);
  return (
    <>
      {/* The conflict below shows the same problem and its resolution. */}
      <ProblemNote error={isRefusal(save.error, 'changed-meanwhile') ? null : save.error} />
      {saved && <WaitingNoteLater record={saved} isShown={save.isWaitingShown} onWithdrawn={save.adopt} />}
      {newer && <ConflictLater newest={newer} draft={draft} save={save} onTake={onTake} />}
      {notice !== null && (
        <p role="alert" className="notice">
          <Icon name="warning" /> {notice}
        </p>
      )}
    </>
  );
}
