import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Hint } from './hint.tsx';
import { Icon } from './icons.tsx';

type Props = {
  /** A long text is made only when it is copied. */
  readonly value: string | (() => string);
  /** What is copied, as an act: "Copy key". */
  readonly label: string;
  /** Shows the label instead of the drawing alone. */
  readonly isWide?: boolean;
};

/** Copies a text, and says that it did. */
export function CopyButton({ value, label, isWide = false }: Props) {
  const clipboard = useClipboard({ timeout: 2_000 });
  const text = clipboard.copied ? 'Copied' : clipboard.error ? 'Select the text and copy it' : label;
  const icon = <Icon name={clipboard.copied ? 'check' : 'copy'} />;
  const copy = () => clipboard.copy(typeof value === 'string' ? value : value());
  return (
    <>
      {isWide ? (
        <Button leftSection={icon} onClick={copy}>
          {text}
        </Button>
      ) : (
        <Hint label={text}>
          <ActionIcon aria-label={label} onClick={copy} size={24}>
            {icon}
          </ActionIcon>
        </Hint>
      )}
      <span className="visually-hidden" role="status">
        {clipboard.copied ? 'Copied' : ''}
      </span>
    </>
  );
}
