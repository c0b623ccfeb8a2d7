import { useRef } from 'react';
import type { FieldState } from './field-state.ts';
import { PlainField } from './plain-field.tsx';
import type { SqlEditorProps } from './sql-editor.tsx';
import { useLaterEditor } from './use-later-editor.ts';

/**
 * SQL editor with code that loads on demand: on hover, on focus, or when a problem is marked. Until then, and after a
 * load failure, it is a plain field with the same value and shortcuts.
 */
export function SqlField(props: SqlEditorProps) {
  const fieldState = useRef<FieldState>(null);
  const { Editor, ...later } = useLaterEditor(props.problem !== undefined);
  if (Editor) return <Editor {...props} fieldState={fieldState} />;
  return <PlainField {...props} fieldState={fieldState} later={later} />;
}
