import { CloseButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../text/icons.tsx';
import classes from './list-page.module.css';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const typingPauseMs = 250;

/** Search field of a list. `/` focuses it. The address changes after a short pause in typing. */
export function SearchField({ label, value, onChange }: Props) {
  const [text, setText] = useState(value);
  const sent = useRef(value);

  // The address can change without the field, by the back button or a link.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  useEffect(() => {
    if (text === sent.current) return;
    const timer = window.setTimeout(() => {
      sent.current = text;
      onChange(text);
    }, typingPauseMs);
    return () => window.clearTimeout(timer);
  }, [text, onChange]);

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      data-search-field
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text !== '') setText('');
      }}
      leftSection={<Icon name="search" />}
      rightSection={
        text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => setText('')} />
      }
      className={classes['search']}
    />
  );
}
