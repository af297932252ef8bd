"""Reads PNG files as the app writes them (8-bit RGBA or RGB, no interlace), with the standard library alone."""
import struct
import zlib


class Picture:
    def __init__(self, path):
        data = open(path, "rb").read()
        assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
        position, packed = 8, b""
        while position < len(data):
            length, kind = struct.unpack(">I4s", data[position:position + 8])
            body = data[position + 8:position + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and color in (2, 6), (depth, color)
                self.channels = 4 if color == 6 else 3
            if kind == b"IDAT":
                packed += body
            position += 12 + length
        self.rows = self._unfilter(zlib.decompress(packed))

    def _unfilter(self, raw):
        n, stride, rows = self.channels, self.width * self.channels, []
        before = bytearray(stride)
        for y in range(self.height):
            kind = raw[y * (stride + 1)]
            line = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            if kind == 1:
                for i in range(n, stride):
                    line[i] = (line[i] + line[i - n]) & 255
            elif kind == 2:
                line = bytearray((a + b) & 255 for a, b in zip(line, before))
            elif kind == 3:
                for i in range(stride):
                    line[i] = (line[i] + ((line[i - n] if i >= n else 0) + before[i]) // 2) & 255
            elif kind == 4:
                for i in range(stride):
                    a, b, c = line[i - n] if i >= n else 0, before[i], before[i - n] if i >= n else 0
                    p = a + b - c
                    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                    line[i] = (line[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
            rows.append(bytes(line))
            before = line
        return rows

    def at(self, x, y):
        i = x * self.channels
        return tuple(self.rows[y][i:i + 3])

    def count(self, color, box=None, tolerance=12):
        """Pixels near a colour, in a box of fractions (left, top, right, bottom)."""
        left, top, right, bottom = box or (0, 0, 1, 1)
        found = 0
        for y in range(int(top * self.height), int(bottom * self.height)):
            row = self.rows[y]
            for x in range(int(left * self.width), int(right * self.width)):
                i = x * self.channels
                if all(abs(row[i + k] - color[k]) <= tolerance for k in range(3)):
                    found += 1
        return found

    def cells(self, columns, lines):
        """The mean colour of every cell of a coarse grid: a picture's gist, for comparing with tolerance."""
        out = []
        for j in range(lines):
            for i in range(columns):
                x0, x1 = i * self.width // columns, (i + 1) * self.width // columns
                y0, y1 = j * self.height // lines, (j + 1) * self.height // lines
                total, count = [0, 0, 0], 0
                for y in range(y0, y1, 2):
                    row = self.rows[y]
                    for x in range(x0, x1, 2):
                        for k in range(3):
                            total[k] += row[x * self.channels + k]
                        count += 1
                out.append([round(t / count) for t in total])
        return out
