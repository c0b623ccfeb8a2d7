import type { Plugin } from 'vite';

/** Colours of the component library that no page draws with. */
export const unusedColours: readonly string[] = [
  'cyan',
  'grape',
  'green',
  'indigo',
  'lime',
  'orange',
  'pink',
  'violet',
  'yellow',
];
const definition = new RegExp(`--mantine-color-(?:${unusedColours.join('|')})-[\\w-]+:[^;}]*;?`, 'g');

/** Styles of the component library as pages get them: without the shades of colours that no page draws with. */
export const slimStyles = (): Plugin => ({
  name: 'slim-styles',
  enforce: 'pre',
  transform: {
    filter: { id: /@mantine\/core\/styles\/default-css-variables\.css$/ },
    handler: (code) => ({ code: code.replace(definition, ''), map: null }),
  },
});
