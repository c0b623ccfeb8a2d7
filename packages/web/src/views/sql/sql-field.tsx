import { type ComponentType, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { placeholderText } from './placeholder-text.ts';
import type { FieldState, SqlEditorProps } from './sql-editor.tsx';
import classes from './sql-field.module.css';
import { textTokens } from './text-tokens.ts';

/** Editor component, after its code has loaded. */
let loaded: ComponentType<SqlEditorProps> | undefined;

/**
 * SQL editor with code that loads on demand: on hover, on focus, or when a problem is marked. Until then, and after a
 * load failure, it is a plain field with the same value and shortcuts.
 */
export function SqlField(props: SqlEditorProps) {
  const [Editor, setEditor] = useState<ComponentType<SqlEditorProps> | undefined>(() => loaded);
  const taken = useRef<FieldState>(null);
  if (Editor) return <Editor {...props} taken={taken} />;
  return <PlainField {...props} left={taken} onLoaded={(editor) => setEditor(() => editor)} />;
}

type PlainProps = SqlEditorProps & {
  readonly left: React.RefObject<FieldState | null>;
  readonly onLoaded: (editor: ComponentType<SqlEditorProps>) => void;
};

function PlainField({ left, onLoaded, ...props }: PlainProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const isListAsked = useRef(false);
  const later = useLaterEditor(onLoaded, props.problem !== undefined);
  const { value } = props;

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
      const field = input.current;
      if (!field) return;
      const { selectionStart, selectionEnd, selectionDirection } = field;
      const isBackward = selectionDirection === 'backward';
      left.current = {
        anchor: isBackward ? selectionEnd : selectionStart,
        head: isBackward ? selectionStart : selectionEnd,
        isFocused: document.activeElement === field,
        scrollTop: scroller.current?.scrollTop ?? 0,
        scrollLeft: scroller.current?.scrollLeft ?? 0,
        isListAsked: isListAsked.current,
      };
    },
    [left],
  );

  const onKeyDown = (event: React.KeyboardEvent) => {
    const asksList = event.ctrlKey && event.key === ' ';
    // The editor also completes after a letter of a name.
    isListAsked.current = asksList || /^[\p{L}\p{N}_.]$/u.test(event.key);
    const act = asksList ? later.ask : actOf(event, props);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const lines = useMemo(() => {
    const count = value.split('\n').length;
    return Array.from({ length: count }, (_, at) => at + 1).join('\n');
  }, [value]);
  const tokens = useMemo(() => textTokens(value), [value]);
  return (
    <div
      ref={scroller}
      className={classes['field']}
      onPointerEnter={later.ask}
      onPointerDown={() => later.hold('pointer')}
    >
      <pre className={classes['numbers']} aria-hidden="true">
        {lines}
      </pre>
      <div className={classes['stack']}>
        <pre className={classes['text']} aria-hidden="true">
          {tokens.map(({ text, colour }, at) =>
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
        <textarea
          ref={input}
          className={classes['input']}
          aria-label={props.label}
          placeholder={placeholderText(props.engine, props.isReadOnly)}
          value={value}
          readOnly={props.isReadOnly}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          wrap="off"
          onChange={(event) => props.onChange?.(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={later.ask}
          onCompositionStart={() => later.hold('letter')}
          onCompositionEnd={() => later.release('letter')}
        />
      </div>
    </div>
  );
}

/** Returns the action of an editor shortcut in the plain field. */
function actOf(
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

/** Input during which the field must not be replaced. */
type Hold = 'pointer' | 'letter';

/**
 * Loads the editor on the first request. The editor replaces the field only between inputs: not while the pointer is
 * down or an input method composes a letter.
 */
function useLaterEditor(onLoaded: PlainProps['onLoaded'], isNeeded: boolean) {
  const state = useRef({ isAsked: false, isHere: true, held: new Set<Hold>() });
  const use = useRef(onLoaded);
  use.current = onLoaded;
  const settle = () => {
    if (loaded && state.current.isHere && state.current.held.size === 0) use.current(loaded);
  };
  const load = async (): Promise<void> => {
    try {
      const { SqlEditor } = await import('./sql-editor.tsx');
      loaded = SqlEditor;
      settle();
    } catch {
      // After a failure the field remains, and the next interaction retries.
      state.current.isAsked = false;
    }
  };
  const ask = () => {
    if (state.current.isAsked) return;
    state.current.isAsked = true;
    void load();
  };
  const release = (why: Hold) => {
    state.current.held.delete(why);
    settle();
  };
  const hold = (why: Hold) => {
    state.current.held.add(why);
  };
  const latest = useRef({ ask, release });
  latest.current = { ask, release };
  useLayoutEffect(() => {
    const present = state.current;
    present.isHere = true;
    const onUp = () => latest.current.release('pointer');
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', onUp);
    return () => {
      present.isHere = false;
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', onUp);
    };
  }, []);
  useLayoutEffect(() => {
    if (isNeeded) latest.current.ask();
  }, [isNeeded]);
  return { ask, hold, release };
}
