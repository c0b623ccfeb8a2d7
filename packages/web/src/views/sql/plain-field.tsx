import { memo, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { FieldState } from './field-state.ts';
import { placeholderText } from './placeholder-text.ts';
import type { SqlEditorProps } from './sql-editor.tsx';
import classes from './sql-field.module.css';
import { textTokens } from './text-tokens.ts';
import type { LaterEditor } from './use-later-editor.ts';

type Props = SqlEditorProps & {
  /** Receives the last state of the field when the editor replaces it. */
  readonly fieldState: RefObject<FieldState | null>;
  readonly later: Omit<LaterEditor, 'Editor'>;
};

/** Field that the editor replaces after its code has loaded. */
export function PlainField({ fieldState, later, ...props }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const hasListRequest = useRef(false);

  useImperativeHandle(props.handle, () => ({
    focus: () => input.current?.focus(),
    selection: () => {
      const field = input.current;
      if (!field || field.selectionStart === field.selectionEnd) return null;
      return field.value.slice(field.selectionStart, field.selectionEnd);
    },
  }));

  // A layout effect's cleanup runs before the field is removed, so it records the last selection and scroll position.
  useLayoutEffect(
    () => () => {
      if (input.current)
        fieldState.current = stateOf(input.current, scroller.current, hasListRequest.current);
    },
    [fieldState],
  );

  const onKeyDown = (event: React.KeyboardEvent) => {
    const requestsList = event.ctrlKey && event.key === ' ';
    // The editor also completes after a letter of a name.
    hasListRequest.current = requestsList || /^[\p{L}\p{N}_.]$/u.test(event.key);
    const action = requestsList ? later.request : actionOf(event, props);
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <div
      ref={scroller}
      className={classes['field']}
      onPointerEnter={later.request}
      onPointerDown={() => later.hold('pointer')}
    >
      <LineNumbers value={props.value} />
      <div className={classes['stack']}>
        <ColouredText value={props.value} />
        <textarea
          ref={input}
          className={classes['input']}
          aria-label={props.label}
          placeholder={placeholderText(props.engine, props.isReadOnly)}
          value={props.value}
          readOnly={props.isReadOnly}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          wrap="off"
          onChange={(event) => props.onChange?.(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={later.request}
          onCompositionStart={() => later.hold('letter')}
          onCompositionEnd={() => later.release('letter')}
        />
      </div>
    </div>
  );
}

const LineNumbers = memo(({ value }: { readonly value: string }) => (
  <pre className={classes['numbers']} aria-hidden="true">
    {value
      .split('\n')
      .map((_, at) => at + 1)
      .join('\n')}
  </pre>
));

/** Text in the colours of the editor, behind the transparent text of the field. */
const ColouredText = memo(({ value }: { readonly value: string }) => (
  <pre className={classes['text']} aria-hidden="true">
    {textTokens(value).map(({ text, colour }, at) =>
      colour === undefined ? (
        text
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have nothing but their order
        <span key={at} className={classes[colour]}>
          {text}
        </span>
      ),
    )}
    {/* Without the line break, an empty last line has no height. */}
    {'\n'}
  </pre>
));

function stateOf(
  field: HTMLTextAreaElement,
  scroller: HTMLElement | null,
  hasListRequest: boolean,
): FieldState {
  const { selectionStart, selectionEnd } = field;
  const isBackward = field.selectionDirection === 'backward';
  return {
    anchor: isBackward ? selectionEnd : selectionStart,
    head: isBackward ? selectionStart : selectionEnd,
    isFocused: document.activeElement === field,
    scrollTop: scroller?.scrollTop ?? 0,
    scrollLeft: scroller?.scrollLeft ?? 0,
    hasListRequest,
  };
}

/** Returns the action of an editor shortcut in the plain field. */
function actionOf(
  event: React.KeyboardEvent,
  { onRun, onSave, onFormat, onLeave }: SqlEditorProps,
): (() => void) | undefined {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  if (isCommand && event.key === 'Enter') return onRun;
  if (isCommand && event.key.toLowerCase() === 's') return onSave;
  // `code` is the physical key: with Alt, some systems produce another letter.
  const { code: place } = event;
  if (event.shiftKey && event.altKey && place === 'KeyF') return onFormat;
  return event.key === 'Escape' && !event.nativeEvent.isComposing ? onLeave : undefined;
}
