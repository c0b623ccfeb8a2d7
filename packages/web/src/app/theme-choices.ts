import type { MantineColorScheme } from '@mantine/core';
import type { IconName } from '../ui/text/icons.tsx';

/** Light, dark, or as the system says. */
export const themeChoices: readonly { value: MantineColorScheme; label: string; icon: IconName }[] = [
  { value: 'auto', label: 'As the system', icon: 'system' },
  { value: 'light', label: 'Light', icon: 'light' },
  { value: 'dark', label: 'Dark', icon: 'dark' },
];
