import { useEffect, useRef, useState } from 'react';
import { fieldClass } from './controls.tsx';

const typingMs = 300;

type Props = {
  readonly label: string;
  readonly placeholder: string;
  /** What is searched for now. */
  readonly value: string;
  readonly className: string | undefined;
  /** Told when the typing rests. */
  readonly onChange: (value: string) => void;
};

/** The one search field of a list; `/` leads to it. */
export function SearchField({ label, placeholder, value, className, onChange }: Props) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  // The address can change without the field: back, or a link. What was told from here is no reason to take back
  // what was typed since.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told.current) return;
    const timer = window.setTimeout(() => {
      told.current = wanted;
      onChange(wanted);
    }, typingMs);
    return () => window.clearTimeout(timer);
  }, [text, onChange]);
  return (
    <search className={className}>
      <input
        type="search"
        className={fieldClass}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        data-search-field
        onChange={(event) => setText(event.target.value)}
      />
    </search>
  );
}
