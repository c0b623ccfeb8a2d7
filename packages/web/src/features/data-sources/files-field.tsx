import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { Icon } from '../../ui/text/icons.tsx';

type File = { readonly name: string; readonly path: string };

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  readonly value: unknown;
  readonly onChange: (files: readonly File[]) => void;
};

const filesOf = (value: unknown): readonly File[] => (Array.isArray(value) ? (value as readonly File[]) : []);

/** Files that are read as tables: the name of each table and where its file lies. */
export function FilesField({ label, description, error, value, onChange }: Props) {
  const files = filesOf(value);
  const set = (at: number, part: Partial<File>) =>
    onChange(files.map((file, index) => (index === at ? { ...file, ...part } : file)));
  return (
    <Input.Wrapper label={label} description={description} error={error}>
      <div className="stack-tight">
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file has no other identity while it is being named
          <div key={index} className="row">
            <TextInput
              aria-label={`Table name of file ${index + 1}`}
              placeholder="Table name"
              value={file.name}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
              w={160}
            />
            <TextInput
              aria-label={`Path of file ${index + 1}`}
              placeholder="/data/orders.csv"
              value={file.path}
              onChange={(event) => set(index, { path: event.currentTarget.value })}
              className="grow"
            />
            <ActionIcon
              aria-label={`Remove file ${index + 1}`}
              onClick={() => onChange(files.filter((_, at) => at !== index))}
            >
              <Icon name="close" />
            </ActionIcon>
          </div>
        ))}
        <div>
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => onChange([...files, { name: '', path: '' }])}
          >
            Add a file
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}
