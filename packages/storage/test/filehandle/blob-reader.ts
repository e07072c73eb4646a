/** The part of the FileReader of browsers that BlobFile of generic-filehandle 3 needs. */
export class BlobReader {
  result: ArrayBuffer | undefined;
  onload: () => void = () => undefined;
  onerror: () => void = () => undefined;

  readAsArrayBuffer(blob: Blob): void {
    blob.arrayBuffer().then(
      (buffer) => {
        this.result = buffer;
        this.onload();
      },
      () => this.onerror(),
    );
  }
}
