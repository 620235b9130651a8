/** A part of a picture, in fractions of its width and height as people see it. */
export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How somebody looks at a picture through a frame: at which point of it, and how closely. */
export interface View {
  /** The middle of the frame, in fractions of the picture. */
  x: number;
  y: number;
  /** 1 shows as much as fits the frame. */
  zoom: number;
}

/** Width to height of the picture and of the frame before it. */
export interface Shapes {
  picture: number;
  frame: number;
}

/** Closest look at a picture. */
export const MAX_ZOOM = 5;

/** As much of the picture as fits, from its middle. */
export const WHOLE: View = { x: 0.5, y: 0.5, zoom: 1 };

/** The part that is seen. */
export function cropOf({ x, y, zoom }: View, shapes: Shapes): Crop {
  const width = Math.min(1, shapes.frame / shapes.picture) / zoom;
  const height = Math.min(1, shapes.picture / shapes.frame) / zoom;
  return {
    x: clamp(x - width / 2, 0, 1 - width),
    y: clamp(y - height / 2, 0, 1 - height),
    width,
    height,
  };
}

/** After the picture was moved by these parts of the frame's width and height. */
export function moved(view: View, right: number, down: number, shapes: Shapes): View {
  const crop = cropOf(view, shapes);
  return settled(
    {
      zoom: view.zoom,
      x: crop.x + crop.width * (0.5 - right),
      y: crop.y + crop.height * (0.5 - down),
    },
    shapes,
  );
}

/** After looking more closely, or less, while a point of the frame stays where it is. */
export function zoomed(
  view: View,
  zoom: number,
  shapes: Shapes,
  at: { x: number; y: number } = { x: 0.5, y: 0.5 },
): View {
  const crop = cropOf(view, shapes);
  const next = clamp(zoom, 1, MAX_ZOOM);
  const scale = view.zoom / next;
  return settled(
    {
      zoom: next,
      x: crop.x + crop.width * (at.x + (0.5 - at.x) * scale),
      y: crop.y + crop.height * (at.y + (0.5 - at.y) * scale),
    },
    shapes,
  );
}

/** The same view with its middle where the frame does not leave the picture. */
function settled(view: View, shapes: Shapes): View {
  const { x, y, width, height } = cropOf(view, shapes);
  return { zoom: view.zoom, x: x + width / 2, y: y + height / 2 };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
