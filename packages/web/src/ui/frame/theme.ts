import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const accent: MantineColorsTuple = [
  '#f9f0fa',
  '#f0dff2',
  '#e0bce5',
  '#cf96d7',
  '#b96ac4',
  '#9c4ba8',
  '#86388f',
  '#76307f',
  '#5f2467',
  '#471a4d',
];

/** The tokens define the colours of buttons, so that one file defines both themes. */
const variantColorResolver: VariantColorsResolver = (input) => {
  if (input.variant === 'filled') {
    const tone = input.color === 'red' ? 'red' : 'accent';
    return {
      background: `var(--${tone})`,
      hover: tone === 'red' ? 'var(--red)' : 'var(--accent-hover)',
      color: tone === 'red' ? 'var(--surface)' : 'var(--on-accent)',
      border: '1px solid transparent',
    };
  }
  if (input.variant === 'default' && input.color === 'red') {
    return {
      background: 'var(--surface)',
      hover: 'var(--red-soft)',
      color: 'var(--red)',
      border: '1px solid var(--line-strong)',
    };
  }
  if (input.variant === 'subtle') {
    return {
      background: 'transparent',
      hover: 'var(--hover)',
      color: input.color === 'red' ? 'var(--red)' : 'var(--text)',
      border: '1px solid transparent',
    };
  }
  return defaultVariantColorsResolver(input);
};

const motionMs = 120;
const transition = { transitionProps: { duration: motionMs } };

/** Theme of the component library: four text sizes, 32 px controls, lines instead of shadows. */
export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent },
  autoContrast: false,
  fontFamily: 'var(--font-sans)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '6px', xl: '6px' },
  defaultRadius: 'sm',
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  shadows: { xs: 'none', sm: 'none', md: '0 4px 16px rgb(0 0 0 / 0.12)', lg: 'none', xl: 'none' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  variantColorResolver,
  components: {
    // Components are named by strings, so that a component's code loads only where it is used.
    Button: {
      defaultProps: { variant: 'default', size: 'sm' },
      vars: () => ({
        root: { '--button-height': '32px', '--button-padding-x': '12px', '--button-fz': '13px' },
      }),
      styles: { root: { fontWeight: 600 } },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 32 } },
    Input: {
      defaultProps: { size: 'sm' },
      vars: () => ({ wrapper: { '--input-height': '32px', '--input-fz': '13px' } }),
    },
    InputWrapper: {
      defaultProps: { size: 'sm' },
      styles: { label: { fontWeight: 600, marginBottom: 4 }, description: { marginBottom: 4 } },
    },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    Checkbox: { defaultProps: { size: 'xs', radius: 4 } },
    Radio: { defaultProps: { size: 'xs' } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        ...transition,
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: 15, fontWeight: 600 } },
    },
    Drawer: { defaultProps: { ...transition, closeButtonProps: { 'aria-label': 'Close' } } },
    Menu: { defaultProps: { shadow: 'md', ...transition, position: 'bottom-end' } },
    Popover: { defaultProps: { shadow: 'md', ...transition } },
  },
});
