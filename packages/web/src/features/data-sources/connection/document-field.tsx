import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { FilePicker } from '../../../ui/form/file-picker.tsx';
import { readDocument } from './document-text.ts';

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (text: string | undefined) => void;
};

/** Document that the user pastes or reads from a file. YAML is converted to JSON before it is stored. */
export function DocumentField({ value, onChange, error, ...shared }: Props) {
  const [fault, setFault] = useState<string>();
  const set = (text: string) => {
    setFault(undefined);
    onChange(text === '' ? undefined : text);
  };
  const read = async (text: string) => {
    const result = await readDocument(text);
    if ('json' in result) return set(result.json);
    onChange(text);
    setFault(result.fault);
  };
  const readWritten = async (field: HTMLTextAreaElement) => {
    const text = field.value;
    const result = await readDocument(text);
    // Discards the result if the text has changed meanwhile. JSON needs no conversion.
    if (field.value !== text) return;
    if ('fault' in result) setFault(result.fault);
    else if (result.json !== text) set(result.json);
  };
  return (
    <div className="stack-tight">
      <Textarea
        {...shared}
        error={fault ?? error}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        onBlur={({ currentTarget: field }) => void readWritten(field)}
      />
      <div>
        <FilePicker accept=".json,.yaml,.yml" onPick={(file) => void file.text().then(read)}>
          {(props) => <Button {...props}>Read a file</Button>}
        </FilePicker>
      </div>
    </div>
  );
}
