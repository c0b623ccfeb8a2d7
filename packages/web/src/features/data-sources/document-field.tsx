import { Button, FileButton, Textarea } from '@mantine/core';

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (text: string | undefined) => void;
};

/** A document that is pasted, or read from a file. */
export function DocumentField({ value, onChange, ...shared }: Props) {
  const set = (text: string) => onChange(text === '' ? undefined : text);
  return (
    <div className="stack-tight">
      <Textarea
        {...shared}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <div>
        <FileButton accept=".json" onChange={(file) => void file?.text().then(set)}>
          {(props) => <Button {...props}>Read a file</Button>}
        </FileButton>
      </div>
    </div>
  );
}
