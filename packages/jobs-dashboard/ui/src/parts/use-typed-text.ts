import { useEffect, useRef, useState } from 'react';

const typingMs = 300;

/** Text of a search field. It reports a changed text after the user has stopped typing. */
export function useTypedText(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  // The URL can change without the field, by the back button or a link. A value that this field reported must not
  // overwrite text that the user has typed since.
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const trimmed = text.trim();
    if (trimmed === reported.current) return;
    const timer = window.setTimeout(() => {
      reported.current = trimmed;
      onChange(trimmed);
    }, typingMs);
    return () => window.clearTimeout(timer);
  }, [text, onChange]);
  return [text, setText] as const;
}
