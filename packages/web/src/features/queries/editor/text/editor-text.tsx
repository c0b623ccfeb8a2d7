import type { Ref } from 'react';
import type { SqlNames } from '../../../../views/sql/completion/sql-completion.ts';
import type { SqlEditorHandle, TextProblem } from '../../../../views/sql/sql-editor.tsx';
import { SqlField } from '../../../../views/sql/sql-field.tsx';
import { finalKey } from '../draft/draft-state.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import classes from '../query-editor.module.css';
import { EditorTools } from './editor-tools.tsx';
import { StepTabs } from './step-tabs.tsx';

type Props = {
  readonly edited: EditedDraft;
  readonly handle: Ref<SqlEditorHandle>;
  readonly names: SqlNames;
  readonly problem: TextProblem | undefined;
  /** Opens the side panel in a window that is too narrow to always show it. */
  readonly onSide: () => void;
  readonly onCheck: () => void;
  readonly onExplain: () => void;
  readonly onFormat: () => void;
  readonly onRunAll: () => void;
  readonly onRun: () => void;
  readonly onSave: () => void;
  /** Moves the focus out of the text. */
  readonly onLeave: () => void;
};

/** Shown text of the draft, with the tabs of its texts and the toolbar. */
export function EditorText({ edited, handle, names, problem, onSave, onLeave, ...actions }: Props) {
  const { draft, shownKey, step, text, engine, sources, dispatch } = edited;
  return (
    <div className={classes['text']}>
      <StepTabs draft={draft} shownKey={shownKey} dispatch={dispatch} />
      <EditorTools
        {...actions}
        draft={draft}
        step={step}
        sources={sources}
        onChange={(part) => dispatch({ kind: 'change-step', key: shownKey, part })}
      />
      <div className={classes['editor']}>
        <SqlField
          key={shownKey}
          handle={handle}
          label={labelOf(edited)}
          value={text}
          engine={engine}
          names={names}
          problem={problem}
          onChange={(sql) => dispatch({ kind: 'change-text', key: step?.key ?? finalKey, sql })}
          onRun={actions.onRun}
          onSave={onSave}
          onFormat={actions.onFormat}
          onLeave={onLeave}
        />
      </div>
    </div>
  );
}

function labelOf({ step, engine }: EditedDraft): string {
  if (!step) return 'SQL of the final query';
  return engine === 'Rest' ? 'Request of this step' : 'SQL of this step';
}
