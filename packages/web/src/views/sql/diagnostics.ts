import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type { TextProblem } from './sql-editor.tsx';

/** Returns the mark of a problem in the text of an editor. */
export function diagnosticsOf(state: EditorState, problem: TextProblem | undefined): Diagnostic[] {
  if (!problem) return [];
  const line = state.doc.line(Math.min(Math.max(1, problem.line), state.doc.lines));
  const from = Math.min(line.to, line.from + Math.max(0, problem.column - 1));
  // Marks a whole placeholder, and otherwise the text up to the end of its word.
  const marked = /^(?:\{\{[^}]*\}\}|["`]?\w+)/;
  const length = marked.exec(state.doc.sliceString(from, line.to))?.[0].length ?? 1;
  return [{ from, to: Math.min(line.to, from + length), severity: 'error', message: problem.message }];
}
