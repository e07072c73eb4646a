import type {
  TransformDescription,
  TransformPlace,
  TransformSession,
  TransformWorkers,
} from '../src/transform/transform.js';

/** Returns workers that open sessions with `open`, for answers that have a place as well. */
export function openingWorkers(open: TransformWorkers['open']): TransformWorkers {
  return {
    open,
    createPlace: (client) => {
      const place: TransformPlace = {
        take: () => undefined,
        createPlace: () => place,
        open: (description) => open(description, client),
      };
      return place;
    },
  };
}

export interface ObservedTransforms extends TransformWorkers {
  /** The transforms that were opened. */
  readonly opened: readonly { readonly description: TransformDescription; readonly client: string | undefined }[];
}

/** Returns workers that record what `workers` do. */
export function observeTransforms(workers: Pick<TransformWorkers, 'open'>): ObservedTransforms {
  const opened: { description: TransformDescription; client: string | undefined }[] = [];
  const open = (description: TransformDescription, client?: string): TransformSession => {
    opened.push({ description, client });
    return workers.open(description, client);
  };
  return { ...openingWorkers(open), opened };
}
