import { useRef, useState } from 'react';
import { useEditorKeys } from '../../../ui/frame/keys/use-editor-keys.ts';
import { usedParameters } from '../../../views/query-run/draft.ts';
import type { SqlEditorHandle } from '../../../views/sql/sql-editor.tsx';
import classes from './query-editor.module.css';
import { useParameterFocus } from './runs/use-parameter-focus.ts';
import { wholeQuery } from './runs/use-runs.ts';
import { SideContent } from './side/side-content.tsx';
import { SidePanel, type SideState, type SideView } from './side/side-panel.tsx';
import { EditorText } from './text/editor-text.tsx';
import { formatShown } from './text/format-shown.ts';
import type { Editor } from './use-editor.ts';

type Props = {
  readonly editor: Editor;
  /** Moves the focus out of the text. */
  readonly onLeave: () => void;
};

/** Text of the query with the side panel next to it. */
export function Workspace({ editor, onLeave }: Props) {
  const { edited, saving, runs, restoring, names, marks } = editor;
  const { draft, step } = edited;
  const handle = useRef<SqlEditorHandle>(null);
  const [side, setSide] = useState<SideState>({ view: 'tables', isOpen: false });
  const openSide = (view: SideView) => setSide({ view, isOpen: true });
  const setView = (view: SideView) => setSide((before) => ({ ...before, view }));
  const setSideOpen = (isOpen: boolean) => setSide((before) => ({ ...before, isOpen }));
  const field = useParameterFocus(marks.parameter, runs.failure, () => openSide('parameters'));
  const runShown = () =>
    runs.begin(
      step ? { kind: 'step', key: step.key, selection: handle.current?.selection() ?? null } : wholeQuery,
    );
  useEditorKeys({ onSave: saving.save, onRun: runShown });
  return (
    <div className={classes['top']}>
      <EditorText
        edited={edited}
        handle={handle}
        names={names}
        problem={marks.problem}
        onSide={() => setSideOpen(true)}
        onCheck={() => openSide('checks')}
        onExplain={() => openSide('plan')}
        onFormat={() => void formatShown(edited, editor.setNotice)}
        onRunAll={() => runs.begin(wholeQuery)}
        onRun={runShown}
        onSave={saving.save}
        onLeave={onLeave}
      />
      <SidePanel
        state={side}
        parameterCount={usedParameters(draft).length}
        onView={setView}
        onClose={() => setSideOpen(false)}
      >
        <SideContent
          view={side.view}
          edited={edited}
          stepResults={names.tables}
          values={editor.values}
          onValue={editor.setValue}
          refused={{ name: marks.parameter, field }}
          onTake={restoring.begin}
          onMissing={() => setView('tables')}
        />
      </SidePanel>
    </div>
  );
}
