import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { Icon } from '../../ui/text/icons.tsx';

type Headers = readonly (readonly [string, string])[];

type Props = {
  readonly headers: Headers;
  readonly error: string | undefined;
  readonly onChange: (headers: Headers) => void;
};

const headersMax = 20;

/** Headers of a webhook request, such as its authorization. Stored values are shown masked. */
export function HeadersField({ headers, error, onChange }: Props) {
  const set = (at: number, part: readonly [string, string]) =>
    onChange(headers.map((header, index) => (index === at ? part : header)));
  return (
    <Input.Wrapper
      label="Headers (optional)"
      description="Authorization, Api-Key, X-Api-Key and others that your operator allows. A masked value keeps the stored one."
      error={error}
    >
      <div className="stack-tight">
        {headers.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header has no other identity while it is being named
          <div key={index} className="row">
            <TextInput
              aria-label={`Name of header ${index + 1}`}
              placeholder="Authorization"
              value={name}
              onChange={(event) => set(index, [event.currentTarget.value, value])}
              w={160}
            />
            <TextInput
              aria-label={`Value of header ${index + 1}`}
              placeholder="Value"
              value={value}
              autoComplete="off"
              onChange={(event) => set(index, [name, event.currentTarget.value])}
              className="grow"
            />
            <ActionIcon
              aria-label={`Remove header ${index + 1}`}
              onClick={() => onChange(headers.filter((_, at) => at !== index))}
            >
              <Icon name="close" />
            </ActionIcon>
          </div>
        ))}
        {headers.length < headersMax && (
          <div>
            <Button leftSection={<Icon name="plus" />} onClick={() => onChange([...headers, ['', '']])}>
              Add a header
            </Button>
          </div>
        )}
      </div>
    </Input.Wrapper>
  );
}
