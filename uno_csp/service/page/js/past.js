// What was there before, to be gone back to; what was undone can be done again.

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

  // Remember what is about to change.
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
