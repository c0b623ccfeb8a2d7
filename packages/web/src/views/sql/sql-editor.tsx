import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  keywordCompletionSource,
  MariaSQL,
  MSSQL,
  PostgreSQL,
  type SQLDialect,
  SQLite,
  sql,
} from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { styleNonce } from '../../lib/nonce.ts';
import { bigqueryDialect } from './bigquery-dialect.ts';
import { clickhouseDialect } from './clickhouse-dialect.ts';
import { completionKeys } from './completion-keys.ts';
import { databricksDialect } from './databricks-dialect.ts';
import { editorTheme, sqlColours } from './editor-theme.ts';
import { completeStep, jsonStepDialect } from './json-step.ts';
import { placeholderText } from './placeholder-text.ts';
import { snowflakeDialect } from './snowflake-dialect.ts';
import { completeNames, isNaming, type SqlNames } from './sql-completion.ts';
import { typeOverSelection } from './type-over-selection.ts';

/** Message with a position in the text. Lines and columns start at 1. */
export type TextProblem = { readonly line: number; readonly column: number; readonly message: string };

export type SqlEditorHandle = {
  readonly focus: () => void;
  /** Returns the selected text. Null without a selection. */
  readonly selection: () => string | null;
};

/** State of the plain field at its replacement by the editor. */
export type FieldState = {
  readonly anchor: number;
  readonly head: number;
  readonly isFocused: boolean;
  readonly scrollTop: number;
  readonly scrollLeft: number;
  /** True if the last key opens the completion list in the editor: its shortcut, or a letter of a name. */
  readonly isListAsked: boolean;
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
  readonly taken?: React.RefObject<FieldState | null>;
};

const dialects: Readonly<Record<string, SQLDialect>> = {
  MySQL: MariaSQL,
  SQLite,
  SqlServer: MSSQL,
  ClickHouse: clickhouseDialect,
  BigQuery: bigqueryDialect,
  Snowflake: snowflakeDialect,
  Databricks: databricksDialect,
  Rest: jsonStepDialect,
};

/** Suppresses keywords after the dot of a name and after `as`. */
const keywordsOutsideNames =
  (source: CompletionSource): CompletionSource =>
  (context) =>
    context.matchBefore(/\.\s*\w*/) || isNaming(context) ? null : source(context);

const languageOf = (engine: string, names: SqlNames): Extension => {
  const dialect = dialects[engine] ?? PostgreSQL;
  const language = sql({ dialect });
  return [
    language.language,
    autocompletion({
      override:
        engine === 'Rest'
          ? [completeStep(names)]
          : [completeNames(names, engine), keywordsOutsideNames(keywordCompletionSource(dialect, false))],
      activateOnTyping: true,
      defaultKeymap: false,
      // Without a delay, a quick key press has the same effect as a slow one.
      interactionDelay: 0,
      // Number of options that fit without scrolling. Arrow keys reach the others.
      maxRenderedOptions: 10,
      icons: false,
    }),
  ];
};

/** Returns the placeholder of an empty editor as an extension. */
const hintOf = ({ engine, isReadOnly }: Pick<SqlEditorProps, 'engine' | 'isReadOnly'>): Extension =>
  placeholder(placeholderText(engine, isReadOnly));

function diagnosticsOf(state: EditorState, problem: TextProblem | undefined): Diagnostic[] {
  if (!problem) return [];
  const line = state.doc.line(Math.min(Math.max(1, problem.line), state.doc.lines));
  const from = Math.min(line.to, line.from + Math.max(0, problem.column - 1));
  // Marks a whole placeholder, and otherwise the text up to the end of its word.
  const marked = /^(?:\{\{[^}]*\}\}|["`]?\w+)/;
  const word = marked.exec(state.doc.sliceString(from, line.to))?.[0].length ?? 1;
  return [{ from, to: Math.min(line.to, from + word), severity: 'error', message: problem.message }];
}

/** Restores selection, focus, scroll position and completion list of the replaced field. */
function takeOver(
  editor: EditorView,
  { anchor, head, isFocused, scrollTop, scrollLeft, isListAsked }: FieldState,
): void {
  const { length } = editor.state.doc;
  editor.dispatch({ selection: { anchor: Math.min(anchor, length), head: Math.min(head, length) } });
  if (isFocused) editor.focus();
  editor.scrollDOM.scrollTo(scrollLeft, scrollTop);
  if (isFocused && isListAsked) startCompletion(editor);
}

/**
 * SQL editor with colours, completion and marked problems. Tab leaves it; Ctrl-Enter runs, Ctrl-S saves, Shift-Alt-F
 * formats, Escape closes a list or leaves the editor.
 */
export function SqlEditor(props: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const language = useRef(new Compartment());
  const hint = useRef(new Compartment());
  const ranText = useRef<Text | undefined>(undefined);

  useImperativeHandle(props.handle, () => ({
    focus: () => view.current?.focus(),
    selection: () => {
      const state = view.current?.state;
      if (!state || state.selection.main.empty) return null;
      return state.sliceDoc(state.selection.main.from, state.selection.main.to);
    },
  }));

  // A layout effect: with a passive effect, text that the user types before it runs would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; what changes reaches it by the effects below
  useLayoutEffect(() => {
    if (!host.current) return;
    const act = (name: 'onRun' | 'onSave' | 'onFormat' | 'onLeave') => (view: EditorView) => {
      closeCompletion(view);
      if (name === 'onRun') ranText.current = view.state.doc;
      const run = latest.current[name];
      run?.();
      return run !== undefined;
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(styleNonce),
          typeOverSelection,
          completionKeys,
          keymap.of([
            { key: 'Mod-Enter', run: act('onRun'), preventDefault: true },
            // Without `onSave`, the page handles the shortcut.
            ...(props.onSave || props.isReadOnly
              ? [{ key: 'Mod-s', run: act('onSave'), preventDefault: true }]
              : []),
            { key: 'Shift-Alt-f', run: act('onFormat'), preventDefault: true },
            ...closeBracketsKeymap,
            { key: 'Escape', run: act('onLeave') },
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
          ]),
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          sqlColours,
          editorTheme,
          hint.current.of(hintOf(props)),
          language.current.of(languageOf(props.engine, props.names)),
          EditorState.readOnly.of(props.isReadOnly ?? false),
          EditorView.editable.of(!props.isReadOnly),
          EditorView.contentAttributes.of(() => ({
            'aria-label': latest.current.label,
            tabindex: '0',
            ...(props.isReadOnly && { role: 'textbox', 'aria-readonly': 'true' }),
            ...(latest.current.problem && { 'aria-invalid': 'true' }),
          })),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    const field = latest.current.taken?.current;
    if (field) takeOver(editor, field);
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    // The new completion source closes an open or pending list, so the list is opened again.
    const hasList = completionStatus(editor.state) !== null;
    editor.dispatch({ effects: language.current.reconfigure(languageOf(props.engine, props.names)) });
    if (hasList) startCompletion(editor);
  }, [props.engine, props.names]);

  const { engine, isReadOnly = false } = props;
  useEffect(() => {
    view.current?.dispatch({ effects: hint.current.reconfigure(hintOf({ engine, isReadOnly })) });
  }, [engine, isReadOnly]);

  // A layout effect: a passive effect would revert text that the user types before it runs.
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === props.value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } });
  }, [props.value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const diagnostics = diagnosticsOf(editor.state, props.problem);
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
    const [first] = diagnostics;
    // The cursor does not move if the user has changed the text since the run.
    const isAsRun = ranText.current === undefined || editor.state.doc.eq(ranText.current);
    if (first && isAsRun) editor.dispatch({ selection: { anchor: first.from }, scrollIntoView: true });
  }, [props.problem]);

  return <div ref={host} style={{ height: '100%', minHeight: 0, overflow: 'hidden' }} />;
}
