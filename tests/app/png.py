"""Pictures as rows of red, green and blue; ImageMagick decodes them."""
import struct
import subprocess


class Picture:
    def __init__(self, path):
        with open(path, "rb") as file:
            head = file.read(24)
        assert head[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
        self.width, self.height = struct.unpack(">II", head[16:])
        pixels = subprocess.run(["convert", str(path), "-alpha", "off", "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
        stride = 3 * self.width
        assert len(pixels) == stride * self.height, f"{path}: {len(pixels)} bytes of {self.width} x {self.height}"
        self.rows = [pixels[y * stride:(y + 1) * stride] for y in range(self.height)]

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
                            total[k] += row[x * 3 + k]
                        count += 1
                out.append([round(t / count) for t in total])
        return out
