import type { MantineColorScheme } from '@mantine/core';
import type { Theme } from '@svc/contract';
import type { IconName } from '../../ui/text/icons.tsx';

export type ThemeChoice = {
  readonly value: Theme;
  readonly scheme: MantineColorScheme;
  readonly label: string;
  readonly icon: IconName;
};

const system: ThemeChoice = { value: 'System', scheme: 'auto', label: 'As the system', icon: 'system' };

/** Choices of theme: light, dark, or the setting of the system. */
export const themeChoices: readonly ThemeChoice[] = [
  system,
  { value: 'Light', scheme: 'light', label: 'Light', icon: 'light' },
  { value: 'Dark', scheme: 'dark', label: 'Dark', icon: 'dark' },
];

/** Returns the choice that corresponds to a colour scheme. */
export const choiceOf = (scheme: MantineColorScheme): ThemeChoice =>
  themeChoices.find((choice) => choice.scheme === scheme) ?? system;
