// The history of views, for undo and redo.

const MOST = 200;

export class Past {
  #before = [];
  #after = [];

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#after.length > 0;
  }

  // Remember the current view before a change.
  keep(view) {
    this.#before.push(view);
    if (this.#before.length > MOST) this.#before.shift();
    this.#after = [];
  }

  undo(view) {
    this.#after.push(view);
    return this.#before.pop();
  }

  redo(view) {
    this.#before.push(view);
    return this.#after.pop();
  }
}
