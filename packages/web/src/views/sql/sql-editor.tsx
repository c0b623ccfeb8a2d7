import { closeCompletion, completionStatus, startCompletion } from '@codemirror/autocomplete';
import { setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, placeholder } from '@codemirror/view';
import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { SqlNames } from './completion/sql-completion.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { type EditorAction, extensionsOf } from './editor-extensions.ts';
import { languageOf } from './editor-language.ts';
import { type FieldState, restoreField } from './field-state.ts';
import { placeholderText } from './placeholder-text.ts';

/** Message with a position in the text. Lines and columns start at 1. */
export type TextProblem = { readonly line: number; readonly column: number; readonly message: string };

export type SqlEditorHandle = {
  readonly focus: () => void;
  /** Returns the selected text. Null without a selection. */
  readonly selection: () => string | null;
};

export type SqlEditorProps = {
  readonly label: string;
  readonly value: string;
  readonly engine: string;
  readonly names: SqlNames;
  readonly isReadOnly?: boolean;
  readonly problem?: TextProblem | undefined;
  readonly onChange?: (value: string) => void;
  readonly onRun?: () => void;
  readonly onSave?: () => void;
  readonly onFormat?: () => void;
  /** Called on Escape. Moves the focus out of the editor. */
  readonly onLeave?: () => void;
  readonly handle?: React.Ref<SqlEditorHandle>;
  /** Read once, when the editor mounts. */
  readonly fieldState?: React.RefObject<FieldState | null>;
};

/** Returns the placeholder of an empty editor as an extension. */
const hintOf = ({ engine, isReadOnly }: Pick<SqlEditorProps, 'engine' | 'isReadOnly'>): Extension =>
  placeholder(placeholderText(engine, isReadOnly));

/**
 * SQL editor with colours, completion and marked problems. Tab leaves it; Ctrl-Enter runs, Ctrl-S saves, Shift-Alt-F
 * formats, Escape closes a list or leaves the editor.
 */
export function SqlEditor(props: SqlEditorProps) {
  const { value, engine, names, isReadOnly = false, problem } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const hint = useRef(new Compartment());
  const ranText = useRef<Text | undefined>(undefined);

  useImperativeHandle(props.handle, () => ({
    focus: () => view.current?.focus(),
    selection: () => selectionOf(view.current?.state),
  }));

  const act = useEffectEvent((editor: EditorView, action: EditorAction): boolean => {
    closeCompletion(editor);
    if (action === 'onRun') ranText.current = editor.state.doc;
    const run = props[action];
    run?.();
    return run !== undefined;
  });
  const changeText = useEffectEvent((text: string) => props.onChange?.(text));
  const attributes = useEffectEvent(() => attributesOf(props));

  // A layout effect: with a passive effect, text that the user types before it runs would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; what changes reaches it by the effects below
  useLayoutEffect(() => {
    if (!host.current) return;
    const extensions = extensionsOf({
      isReadOnly,
      hasSaveKey: isReadOnly || props.onSave !== undefined,
      exchangeable: [
        hint.current.of(hintOf({ engine, isReadOnly })),
        language.current.of(languageOf(engine, names)),
      ],
      commandOf: (action) => (editor) => act(editor, action),
      onText: (text) => changeText(text),
      attributes: () => attributes(),
    });
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: value, extensions }),
    });
    view.current = editor;
    const field = props.fieldState?.current;
    if (field) restoreField(editor, field);
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useLanguage(view, language, engine, names);
  useEffect(() => {
    view.current?.dispatch({ effects: hint.current.reconfigure(hintOf({ engine, isReadOnly })) });
  }, [engine, isReadOnly]);

  // A layout effect: a passive effect would revert text that the user types before it runs.
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useProblemMark(view, problem, ranText);

  return <div ref={host} style={{ height: '100%', minHeight: 0, overflow: 'hidden' }} />;
}

function selectionOf(state: EditorState | undefined): string | null {
  if (!state || state.selection.main.empty) return null;
  return state.sliceDoc(state.selection.main.from, state.selection.main.to);
}

const attributesOf = ({ label, isReadOnly, problem }: SqlEditorProps): Readonly<Record<string, string>> => ({
  'aria-label': label,
  tabindex: '0',
  ...(isReadOnly && { role: 'textbox', 'aria-readonly': 'true' }),
  ...(problem && { 'aria-invalid': 'true' }),
});

type ViewRef = React.RefObject<EditorView | null>;

/** Exchanges the language of the editor when the engine or the names for completion change. */
function useLanguage(
  view: ViewRef,
  language: React.RefObject<Compartment>,
  engine: string,
  names: SqlNames,
): void {
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    // The new completion source closes an open or pending list, so the list is opened again.
    const hasList = completionStatus(editor.state) !== null;
    editor.dispatch({ effects: language.current.reconfigure(languageOf(engine, names)) });
    if (hasList) startCompletion(editor);
  }, [view, language, engine, names]);
}

/**
 * Marks a problem in the text and moves the cursor to it.
 * @param ranText  Text of the last run that the editor started.
 */
function useProblemMark(
  view: ViewRef,
  problem: TextProblem | undefined,
  ranText: React.RefObject<Text | undefined>,
): void {
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const diagnostics = diagnosticsOf(editor.state, problem);
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
    const [first] = diagnostics;
    // The cursor does not move if the user has changed the text since the run.
    const isAsRun = ranText.current === undefined || editor.state.doc.eq(ranText.current);
    if (first && isAsRun) editor.dispatch({ selection: { anchor: first.from }, scrollIntoView: true });
  }, [view, problem, ranText]);
}
