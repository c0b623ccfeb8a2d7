/** Drawn on a 16 px grid, 1.5 px strokes. One entry per meaning, not per shape. */
const shapes = {
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.8V13h3V9.5h2V13h3V6.8',
  tower: 'M8 2v3M5 5h6l-1 4H6L5 5ZM7 9l-1 5M9 9l1 5M4 14h8',
  task: 'M3 3.5h10v9H3zM5.5 8l2 2 3.5-4',
  source:
    'M3 4c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2ZM3 4v8c0 1.1 2.2 2 5 2s5-.9 5-2V4M3 8c0 1.1 2.2 2 5 2s5-.9 5-2',
  project: 'M2.5 4.5v8h11v-7H8L6.5 3.5h-4z',
  query: 'M2.5 3.5h11v9h-11zM5 6.5 7 8 5 9.5M8.5 10H11',
  quality: 'M8 2 3 4v4c0 3 2.2 5 5 6 2.8-1 5-3 5-6V4L8 2ZM5.8 8l1.6 1.6L10.3 6.500',
  migration: 'M2.500 5.500h8.500M8.500 3l2.500 2.500L8.500 8M13.500 10.500H5M7.500 8 5 10.500 7.500 13',
  subscription: 'M8 4.500V8l2.500 1.500M14 8A6 6 0 1 1 8 2a6 6 0 0 1 6 6Z',
  notification: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.500H3L4 11ZM6.800 14h2.400',
  recipient: 'M2.500 4h11v8h-11zM2.500 4.500 8 9l5.500-4.500',
  approval: 'M5 3.500H3.500v10h9v-10H11M5.500 2.500h5v2.500h-5zM5.800 9.500l1.600 1.600 2.900-3.200',
  actor: 'M4 6h8v6.500H4zM8 6V3M6.500 9h.01M9.500 9h.01M2.500 8.500v2M13.500 8.500v2',
  playground: 'M2.500 3h11v10h-11zM6.500 6v4l3.500-2-3.500-2Z',
  learning: 'M2 6l6-3 6 3-6 3-6-3ZM4.500 7.500V11c2 1.500 5 1.500 7 0V7.500',
  user: 'M8 8a2.800 2.800 0 1 0 0-5.600A2.800 2.800 0 0 0 8 8ZM3 14c0-2.500 2.200-4 5-4s5 1.500 5 4',
  users:
    'M6 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM1.500 13.500c0-2.300 2-3.700 4.500-3.700s4.500 1.400 4.500 3.700M10.500 3.200a2.500 2.500 0 0 1 0 4.600M12 10c1.600.500 2.500 1.700 2.500 3.500',
  key: 'M9.800 9.200a3.200 3.200 0 1 0-3-3L2.500 10.500v3h3V12H7v-1.500h1.300l1.500-1.300ZM10.500 5.500h.01',
  guard: 'M8 2 3 4v4c0 3 2.200 5 5 6 2.800-1 5-3 5-6V4L8 2Z',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 1.800v1.700M8 12.500v1.700M2.600 4.900l1.500.8M11.900 10.300l1.500.8M2.600 11.100l1.500-.8M11.900 5.700l1.500-.8',
  audit: 'M4 2.500h6l2.500 2.500v8.500H4zM6 7h4.500M6 9.500h4.500M6 12h2.500',
  about: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.500V11M8 5.200h.01',
  light:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M3.400 12.600l1-1M11.600 4.400l1-1',
  dark: 'M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500Z',
  system: 'M2.500 3h11v7.500h-11zM6 13.500h4M8 10.500v3',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM10.500 10.500 14 14',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.500 6.500 12 13 4.500',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  left: 'M10 4 6 8l4 4',
  right: 'M6 4l4 4-4 4',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  run: 'M4.500 3v10l8-5-8-5Z',
  stop: 'M4 4h8v8H4z',
  copy: 'M5.500 5.500v-3h8v8h-3M2.500 5.500h8v8h-8z',
  download: 'M8 2.500v8M4.500 7.500 8 11l3.500-3.500M2.500 13.500h11',
  chart: 'M2.500 2.500v11h11M5 10.500l2.500-3 2 2L13 5',
  table: 'M2.500 3h11v10h-11zM2.500 6.500h11M6.500 3v10',
  columns: 'M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10',
  format: 'M2.500 4h11M2.500 8h7M2.500 12h9',
  warning: 'M8 2.500 1.800 13.500h12.400L8 2.500ZM8 6.500v3.500M8 12h.01',
  edit: 'M10.500 3 13 5.500 6 12.500l-3 .500.500-3L10.500 3Z',
  trash: 'M3 4.500h10M6 4.500V3h4v1.500M4.200 4.500l.600 9h6.400l.600-9',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.500L13 6M13 2.500V6H9.500',
  link: 'M6.500 9.500a2.500 2.500 0 0 0 3.500 0l2.500-2.500a2.500 2.500 0 0 0-3.500-3.500l-1 1M9.500 6.500a2.500 2.500 0 0 0-3.500 0L3.500 9A2.500 2.500 0 0 0 7 12.500l1-1',
  out: 'M6.500 3h-4v10h4M6.500 8H14M11 5l3 3-3 3',
  lock: 'M3.500 7h9v6.500h-9zM5.500 7V5a2.500 2.500 0 0 1 5 0v2',
  open: 'M3.500 7h9v6.500h-9zM5.500 7V5a2.500 2.500 0 0 1 4.800-1',
  history: 'M2.500 8a5.500 5.500 0 1 1 1.800 4M2.500 3.500V8H7M8 5.500V8l2 1.500',
  send: 'M14 2.500 2 7l5 2 2 5 5-11.500ZM7 9l7-6.500',
  sigma: 'M12 4.500V3H4l4 5-4 5h8v-1.500',
  pin: 'M8 10v4M5 2.500h6l-1 4 2 3.500H4l2-3.500-1-4Z',
} as const;

export type IconName = keyof typeof shapes;

/** A drawing beside a word; hidden from readers, since the word says it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
