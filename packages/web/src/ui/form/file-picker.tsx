import { FileButton } from '@mantine/core';
import { type ReactNode, useRef } from 'react';

type Props = {
  /** Endings of the files, separated by commas. */
  readonly accept: string;
  readonly onPick: (file: File) => void;
  readonly children: (props: { readonly onClick: () => void }) => ReactNode;
};

/** Opens the file dialog of the browser. The same file can be picked again, after a refusal or a change of the file. */
export function FilePicker({ accept, onPick, children }: Props) {
  const reset = useRef<() => void>(null);
  return (
    <FileButton
      accept={accept}
      resetRef={reset}
      onChange={(file) => {
        // A browser reports the choice of the file that is chosen already as no change.
        reset.current?.();
        if (file) onPick(file);
      }}
    >
      {children}
    </FileButton>
  );
}
