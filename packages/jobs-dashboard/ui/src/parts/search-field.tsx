import { useMemo, useState } from 'react';
import { completed, type Suggestion } from '../lib/search.ts';
import { fieldClass } from './controls.tsx';
import { Options, useOptions } from './options.tsx';
import classes from './search-field.module.css';
import { useTypedText } from './use-typed-text.ts';

type Props = {
  readonly label: string;
  readonly placeholder: string;
  /** Current search text. */
  readonly value: string;
  readonly className: string | undefined;
  /** Called after the user has stopped typing. */
  readonly onChange: (value: string) => void;
  /** Returns completions of the last word of the text. Default: no suggestions. */
  readonly suggest?: (text: string) => readonly Suggestion[];
  /** Messages about invalid parts of the search. */
  readonly mistakes?: readonly string[];
};

const none: readonly Suggestion[] = [];

/** Search field of a list. The key `/` focuses it. */
export function SearchField(props: Props) {
  const { label, placeholder, value, className, onChange, suggest, mistakes = [] } = props;
  const [text, setText] = useTypedText(value, onChange);
  const [isOpen, setOpen] = useState(false);
  const items = useMemo(() => (isOpen ? (suggest?.(text) ?? none) : none), [isOpen, suggest, text]);
  const take = (suggestion: Suggestion) => setText(completed(text, suggestion));
  const options = useOptions({ items, onTake: take });
  return (
    <search className={`${className ?? ''} ${classes['search']}`}>
      <input
        type="search"
        className={fieldClass}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        data-search-field
        spellCheck={false}
        autoComplete="off"
        {...(suggest && options.field)}
        aria-invalid={mistakes.length > 0}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && items.length > 0) {
            event.preventDefault();
            setOpen(false);
          } else options.onKeyDown(event);
        }}
      />
      <Options
        label="How it can go on"
        isOver
        items={items}
        listId={options.listId}
        at={options.at}
        onTake={take}
        keyOf={({ word }) => word}
      >
        {({ word, hint }) => (
          <>
            <code>{word}</code>
            <span className="soft">{hint}</span>
          </>
        )}
      </Options>
      {mistakes.length > 0 && (
        <div className={classes['mistakes']} role="status">
          {mistakes.map((mistake) => (
            <p key={mistake}>{mistake}</p>
          ))}
        </div>
      )}
    </search>
  );
}
