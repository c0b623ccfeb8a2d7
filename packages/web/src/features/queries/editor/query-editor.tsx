import type { ExportFormat, Query } from '@svc/contract';
import { useRef } from 'react';
import { useDownload } from '../../../ui/feedback/use-download.ts';
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx';
import { Split } from '../../../ui/frame/split.tsx';
import { setValues } from '../../../views/query-run/parameter-values.ts';
import { downloadResult } from '../requests/download.ts';
import { ResultsPanel } from '../results/results-panel.tsx';
import { EditorHeader } from './editor-header.tsx';
import { EditorNotes } from './editor-notes.tsx';
import classes from './query-editor.module.css';
import { type Editor, type EditorProps, useEditor } from './use-editor.ts';
import { Workspace } from './workspace.tsx';

/** Editor of a query: the text, a side panel with tables and parameters, and the result below. */
export function QueryEditor(props: EditorProps) {
  const { saved } = props;
  const editor = useEditor(props);
  const { save, saving, runs, restoring } = editor;
  const { draft, dispatch } = editor.edited;
  const download = useResultDownload(saved, editor.values);
  const saveButton = useRef<HTMLButtonElement>(null);
  return (
    <div className={classes['page']}>
      <UnsavedGuard isDirty={save.isDirty} />
      {saving.questions}
      {restoring.question}
      <EditorHeader
        draft={draft}
        saved={saved}
        save={save}
        onName={(name) => dispatch({ kind: 'rename', name })}
        onProject={(projectId) => dispatch({ kind: 'change-project', projectId })}
        onSave={saving.save}
        onSaveAndSubscribe={saving.saveAndSubscribe}
        saveButton={saveButton}
      />
      <EditorNotes
        saved={saved}
        draft={draft}
        save={save}
        notice={editor.notice}
        onTake={(theirs) => dispatch({ kind: 'replace', draft: theirs })}
      />
      <div className={classes['frame']}>
        <Split id="editor" label="Height of the text" direction="rows" initial={50}>
          <Workspace editor={editor} onLeave={() => saveButton.current?.focus()} />
          <ResultsPanel
            state={runs.state}
            onStop={runs.stop}
            download={saved && !save.isDirty ? download : undefined}
            queryId={saved?.id}
            hint="Run the query to see its rows here. Ctrl Enter runs it, or the part that is selected."
          />
        </Split>
      </div>
    </div>
  );
}

/** Downloads the whole result of the saved query. */
const useResultDownload = (saved: Query | null, values: Editor['values']) =>
  useDownload<ExportFormat>(async (format, signal, onBytes) => {
    if (!saved) return;
    const request = { id: saved.id, format, parameters: setValues(values), name: saved.name };
    await downloadResult(request, signal, onBytes);
  });
