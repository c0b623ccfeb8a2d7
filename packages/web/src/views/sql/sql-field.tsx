import { type ComponentType, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { placeholderText } from './placeholder-text.ts';
import type { FieldState, SqlEditorProps } from './sql-editor.tsx';
import classes from './sql-field.module.css';
import { textTokens } from './text-tokens.ts';

/** The editor, once its code is there. */
let loaded: ComponentType<SqlEditorProps> | undefined;

/**
 * The SQL editor, whose code comes when somebody turns to it: the pointer reaches it, or the focus, or a problem is
 * marked. Until then, and for as long as the code does not come, it is a plain field that shows and takes the same.
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

  // Noted as the field goes: what was typed and selected until then is where it was.
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
    // The editor lists what goes on from the letters of a name, too.
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
          {/* An empty last line has its height too. */}
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

/** What the keys of the editor do in the plain field. */
function actOf(
  event: React.KeyboardEvent,
  { onRun, onSave, onFormat, onLeave }: SqlEditorProps,
): (() => void) | undefined {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  if (isCommand && event.key === 'Enter') return onRun;
  if (isCommand && event.key.toLowerCase() === 's') return onSave;
  // The place on the keyboard: with Alt, some systems write another letter.
  const { code: place } = event;
  if (event.shiftKey && event.altKey && place === 'KeyF') return onFormat;
  return event.key === 'Escape' && !event.nativeEvent.isComposing ? onLeave : undefined;
}

/** What the field is not taken away in. */
type Hold = 'pointer' | 'letter';

/**
 * Fetches the editor when it is first asked for. It takes the field's place between two acts of a person, not while
 * the pointer is down or a letter is being composed.
 */
function useLaterEditor(onLoaded: PlainProps['onLoaded'], isNeeded: boolean) {
  const state = useRef({ isAsked: false, isHere: true, held: new Set<Hold>() });
  const use = useRef(onLoaded);
  use.current = onLoaded;
  const settle = () => {
    if (loaded && state.current.isHere && state.current.held.size === 0) use.current(loaded);
  };
  const ask = () => {
    if (state.current.isAsked) return;
    state.current.isAsked = true;
    import('./sql-editor.tsx').then(
      (module) => {
        loaded = module.SqlEditor;
        settle();
      },
      // The field goes on as it is; turned to again, it asks again.
      () => {
        state.current.isAsked = false;
      },
    );
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
