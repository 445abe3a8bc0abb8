package programs;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** A checksum of what a thread has seen, printed instead of the full data. */
final class Digest {
    private final CRC32 crc = new CRC32();
    private long bytes;

    Digest add(byte[] data) {
        crc.update(data);
        bytes += data.length;
        return this;
    }

    Digest add(Object value) {
        return add(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return String.format("%d bytes, checksum %08x", bytes, crc.getValue());
    }
}
