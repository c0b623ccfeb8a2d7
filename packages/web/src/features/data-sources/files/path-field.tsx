import { TextInput, type TextInputProps } from '@mantine/core';
import { useAllowedFolders } from './allowed-folders.ts';

type Props = TextInputProps & { readonly description?: string };

/** Field for the path of a file on the server. Its description names the allowed folders. */
export function PathField({ description, ...rest }: Props) {
  const { folders, sentence } = useAllowedFolders();
  return (
    <TextInput
      {...rest}
      description={[description, sentence].filter(Boolean).join(' ')}
      placeholder={`${folders[0] ?? '/data'}/shop.sqlite`}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
