/**
 * Makes the objects of a view's prototype instances of a native class: they inherit from it, and each member that the view
 * lacks is forwarded to the native object that `toNative` returns.
 */
export function forwardMembers<View extends object>(
  view: View,
  native: object,
  toNative: (view: View) => object,
): void {
  for (const [name, member] of membersOf(native)) {
    if (Object.hasOwn(view, name)) continue;
    const isMethod = typeof member.value === 'function';
    const descriptor = isMethod ? { value: forwardCall(name) } : { get: forwardGet(name) };
    Object.defineProperty(view, name, { configurable: true, ...descriptor });
  }
  Object.setPrototypeOf(view, native);

  function forwardGet(name: PropertyKey) {
    return function (this: View): unknown {
      return Reflect.get(toNative(this), name);
    };
  }

  function forwardCall(name: PropertyKey) {
    return function (this: View, ...parameters: unknown[]): unknown {
      const target = toNative(this);
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? Reflect.apply(method, target, parameters) : undefined;
    };
  }
}

/** Lists the members of a prototype and of its ancestors, since a library may have replaced a global class with a subclass. */
function membersOf(native: object): Array<[PropertyKey, PropertyDescriptor]> {
  const members: Array<[PropertyKey, PropertyDescriptor]> = [];
  let prototype: object | null = native;
  while (prototype !== null && prototype !== Object.prototype) {
    for (const name of Reflect.ownKeys(prototype)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(prototype, name);
      if (descriptor !== undefined && name !== Symbol.toStringTag) members.push([name, descriptor]);
    }
    prototype = Reflect.getPrototypeOf(prototype);
  }
  return members;
}
